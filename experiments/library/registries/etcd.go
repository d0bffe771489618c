// SPDX-License-Identifier: MIT
// Servers of etcd as processes under test: its raft (golang-etcd-server-dev of Debian 12, unchanged), driven as etcdserver/raft.go does,
// and the loop of v3_server.go that asks what may be read. Clients write to one register and read it, at any server. Ticks: milliseconds.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/ioutil"
	"log"
	"math/rand"
	"os"
	"strings"
	"sync"
	_ "unsafe" // for the name of another package's variable

	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
	"go.etcd.io/etcd/version"
)

const (
	tested, beat, electionTick = "3.4.23", 100, 10 // what --heartbeat-interval and --election-timeout are if nobody says otherwise
	retryTime, timeOut         = 500, 7000         // readIndexRetryTime, ReqTimeout()
	tickAlarm, retryAlarm      = 0, 1
)

//go:linkname globalRand go.etcd.io/etcd/raft.globalRand
var globalRand *struct { // raft draws its election time-outs from it
	mu   sync.Mutex
	rand *rand.Rand
}

var attributes = []string{"role", "term", "commit", "commit_term", "stored", "asked", "asked_stored"}

type server struct {
	me, count, written, calls int // of these tickets and numbers of calls
	isMended, isLeader        bool
	node                      *raft.RawNode
	store                     *raft.MemoryStorage
	random                    *rand.Rand
	now, began                int64
	lead, applied             uint64
	asked, askedStored        uint64 // last entry that was asked for votes with, and that was stored then
	ready                     *raft.Ready
	value                     string         // of the register, as JSON
	writes                    map[string]int // calls that wait, by what they write
	ids, request, confirmed   uint64         // the request of the loop, or 0; what has to be applied before it is answered, or 0
	reading, waiting          []int          // calls of this request, and of the next
	did                       []byte
	shown                     [7]string
}

func (s *server) do(form string, values ...interface{}) {
	s.did = fmt.Appendf(s.did, form+",", values...)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func kind(t pb.MessageType) string { return strings.TrimPrefix(t.String(), "Msg") }
func (s *server) last() uint64     { return must(s.store.LastIndex()) }
func (s *server) send(messages []pb.Message) {
	for _, m := range messages {
		if m.Type == pb.MsgVote {
			s.asked, s.askedStored = m.Index, s.last()
		}
		s.do(`{"send":%d,"kind":"%s","value":"%s"}`, m.To-1, kind(m.Type), base64.StdEncoding.EncodeToString(must(m.Marshal())))
	}
}

// What raftNode.start() does: a leader sends at once, others when all is stored.
func (s *server) progress() {
	for s.ready == nil && s.node.HasReady() {
		rd := s.node.Ready()
		if rd.SoftState != nil {
			if rd.SoftState.Lead != raft.None && rd.SoftState.Lead != s.lead {
				s.answer(`{"failed":%d}`) // leaderChangedNotify
			}
			s.lead, s.isLeader = rd.SoftState.Lead, rd.SoftState.RaftState == raft.StateLeader
			if s.isLeader {
				s.do(`{"tell":"elected","index":%d,"value":%d}`, s.node.BasicStatus().Term, s.me)
			}
		}
		if n := len(rd.ReadStates); n > 0 && s.request != 0 && binary.BigEndian.Uint64(rd.ReadStates[n-1].RequestCtx) == s.request {
			s.confirmed = rd.ReadStates[n-1].Index
		}
		if s.isLeader {
			s.send(rd.Messages)
		}
		if !raft.IsEmptyHardState(rd.HardState) {
			s.do(`{"cell":0,"value":[%d,%d]}`, rd.HardState.Term, rd.HardState.Vote)
		}
		for _, entry := range rd.Entries {
			s.written++
			s.do(`{"write":%d,"value":"%s"}`, s.written, base64.StdEncoding.EncodeToString(must(entry.Marshal())))
		}
		if s.ready = &rd; len(rd.Entries) == 0 {
			s.finish()
		}
	}
}

func (s *server) finish() {
	rd := *s.ready
	s.ready = nil
	must(0, s.store.Append(rd.Entries))
	if !raft.IsEmptyHardState(rd.HardState) {
		s.store.SetHardState(rd.HardState)
	}
	if !s.isLeader {
		s.send(rd.Messages)
	}
	for _, entry := range rd.CommittedEntries {
		s.apply(entry)
	}
	s.node.Advance(rd)
	if s.request != 0 && s.confirmed != 0 && s.applied >= s.confirmed {
		s.answer(`{"return":%d,"value":` + s.value + `}`)
	}
}

func (s *server) apply(entry pb.Entry) {
	s.applied = entry.Index
	s.do(`{"tell":"committed","index":%d,"value":"%d %s"}`, entry.Index, entry.Term, entry.Data)
	if len(entry.Data) > 0 {
		s.value = string(entry.Data)
	} else if s.request != 0 && s.confirmed == 0 { // firstCommitInTermNotify
		s.ask(false)
	}
	if call, waits := s.writes[string(entry.Data)]; waits {
		s.do(`{"return":%d}`, call)
	}
}

func (s *server) ask(isNew bool) { // once more with the same id, as pkg/idutil makes them: by the member, the time and a number
	if isNew || s.isMended {
		s.ids++
		s.request = uint64(s.me+1)<<48 | s.ids
	}
	s.node.ReadIndex(binary.BigEndian.AppendUint64(nil, s.request))
	s.do(`{"alarm":%d,"in":%d}`, retryAlarm, retryTime)
}

func (s *server) answer(form string) { // those who read
	for _, call := range s.reading {
		s.do(form, call)
	}
	s.reading, s.request = nil, 0
}

type line struct {
	ID, Ticket int
	Hello      *struct {
		Count int
		Fault string
	}
	Bye                                     bool
	Start, Receive, Alarm, Completed, Input *int
	Seed                                    string
	Now                                     int64
	Which                                   json.RawMessage
	Value                                   []byte // in base64
	Cells                                   []struct{ Value []uint64 }
	Writes                                  []struct{ Value []byte }
}

func (s *server) start(asked *line) {
	s.store, s.value, s.writes = raft.NewMemoryStorage(), "null", map[string]int{}
	s.ids = uint64(asked.Now) << 8 // before it crashed there were others
	first := pb.Snapshot{Metadata: pb.SnapshotMetadata{Index: 1, Term: 1}}
	for id := 1; id <= s.count; id++ {
		first.Metadata.ConfState.Voters = append(first.Metadata.ConfState.Voters, uint64(id))
	}
	must(0, s.store.ApplySnapshot(first))
	hard := pb.HardState{Term: 1, Commit: 1} // what else is committed is learned anew
	for _, cell := range asked.Cells {
		hard.Term, hard.Vote = cell.Value[0], cell.Value[1]
	}
	for _, write := range asked.Writes {
		if entry := (pb.Entry{}); write.Value != nil { // it was not torn
			must(0, entry.Unmarshal(write.Value))
			must(0, s.store.Append([]pb.Entry{entry}))
		}
	}
	s.store.SetHardState(hard)
	quiet := &raft.DefaultLogger{Logger: log.New(ioutil.Discard, "", 0)}
	s.applied, s.node = 1, must(raft.NewRawNode(&raft.Config{ID: uint64(s.me + 1), ElectionTick: electionTick, HeartbeatTick: 1,
		Storage: s.store, CheckQuorum: true, MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 512, Applied: 1, Logger: quiet}))
	s.do(`{"alarm":%d,"in":%d}`, tickAlarm, 1+s.random.Intn(beat))
}

func (s *server) call(asked *line) {
	s.calls++
	switch {
	case asked.Start != nil:
		s.start(asked)
	case asked.Receive != nil:
		var m pb.Message
		must(0, m.Unmarshal(asked.Value))
		s.node.Step(m)
	case asked.Alarm != nil && string(asked.Which) == fmt.Sprint(tickAlarm):
		s.node.Tick()
		s.do(`{"alarm":%d,"in":%d}`, tickAlarm, beat)
	case asked.Alarm != nil && (s.request == 0 || s.confirmed != 0): // it was answered meanwhile
	case asked.Alarm != nil && s.now-s.began >= timeOut:
		s.answer(`{"failed":%d}`)
	case asked.Alarm != nil:
		s.ask(false)
	case asked.Completed != nil && asked.Ticket != s.written: // of several writes it is not the last
	case asked.Completed != nil:
		s.finish()
	case string(asked.Which) == `"write"`:
		value := fmt.Sprint((s.now*1000+int64(s.calls%1000))*16 + int64(s.me))
		s.do(`{"call":"store","op":"write","value":%s,"id":%d}`, value, s.calls)
		if s.node.Propose([]byte(value)) != nil {
			s.do(`{"failed":%d}`, s.calls)
		} else {
			s.writes[value] = s.calls
		}
	default:
		s.do(`{"call":"store","op":"read","id":%d}`, s.calls)
		s.waiting = append(s.waiting, s.calls)
	}
	s.progress()
	if s.request == 0 && len(s.waiting) > 0 { // linearizableReadLoop(): one request at a time, for all who have come meanwhile
		s.reading, s.waiting, s.began, s.confirmed = s.waiting, nil, s.now, 0
		s.ask(true)
		s.progress()
	}
}

func (s *server) shows() string {
	hard, _, _ := s.store.InitialState()
	term, _ := s.store.Term(hard.Commit)
	role := []string{`"follower"`, `"candidate"`, `"leader"`, `"candidate"`}[s.node.BasicStatus().RaftState]
	changed := []string{}
	for i, value := range []interface{}{role, s.node.BasicStatus().Term, hard.Commit, term, s.last(), s.asked, s.askedStored} {
		if text := fmt.Sprint(value); s.shown[i] != text {
			s.shown[i] = text
			changed = append(changed, `"`+attributes[i]+`":`+text)
		}
	}
	return strings.Join(changed, ",")
}

func hello() string {
	messages := []string{}
	for t := pb.MessageType(0); pb.MessageType_name[int32(t)] != ""; t++ {
		messages = append(messages, fmt.Sprintf(`"%s":{"meaning":"","ballot":%t}`, kind(t), t == pb.MsgVote || t == pb.MsgVoteResp))
	}
	return `"process":"etcd_raft","version":"` + tested + `","meaning":"servers of etcd, and its raft","leader":{"role":"leader"},` +
		`"attributes":{"role":["follower","candidate","leader"],"` + strings.Join(attributes[1:], `":"integer","`) + `":"integer"},` +
		`"channels":{"committed":"an entry","elected":"who leads in a term","store":"calls of clients"},` +
		`"messages":{` + strings.Join(messages, ",") + `},"alarms":{"tick":"of raft","retry":"a read is asked for again"},` +
		`"inputs":{"write":"a client writes","read":{"meaning":"a client reads","weight":2}},` +
		`"faults":{"mended":"no fault but a mend: pull request 21399, each try of a read has an id of its own"}`
}

func main() {
	if version.Version != tested {
		const form = "etcd %s is installed, and %s is what is tested here: golang-etcd-server-dev of Debian 12"
		log.New(os.Stderr, "", 0).Fatalf(form, version.Version, tested)
	}
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriter(os.Stdout)
	all, count, isMended, seed := [16]*server{}, 1, false, uint64(0)
	for text, err := in.ReadBytes('\n'); err == nil; text, err = in.ReadBytes('\n') {
		var asked line
		must(0, json.Unmarshal(text, &asked))
		if asked.Bye {
			return
		} else if asked.Hello != nil {
			count, isMended = asked.Hello.Count, asked.Hello.Fault == "mended"
			fmt.Fprintf(out, `{"id":%d,%s}`+"\n", asked.ID, hello())
		} else {
			who := 0
			for _, one := range []*int{asked.Start, asked.Receive, asked.Alarm, asked.Completed, asked.Input} {
				if one != nil {
					who = *one
				}
			}
			if asked.Start != nil {
				must(fmt.Sscan(asked.Seed, &seed))
				all[who] = &server{me: who, count: count, isMended: isMended, random: rand.New(rand.NewSource(int64(seed)))}
			}
			s := all[who]
			s.did, s.now, globalRand.rand = s.did[:0], asked.Now, s.random
			s.call(&asked)
			fmt.Fprintf(out, `{"id":%d,"did":[%s],"shows":{%s}}`+"\n", asked.ID, strings.TrimSuffix(string(s.did), ","), s.shows())
		}
		out.Flush()
	}
}

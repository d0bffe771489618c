# SPDX-License-Identifier: GPL-3.0-or-later
"""What mkdocs does otherwise than the place where pages are read most: names of headings, lists behind a line, and a search without a server."""
import html
import json
import os
import re

FOUND = []


def name_of(heading, separator):
    """As GitHub names headings, so that one link does in both places."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_config(config):
    FOUND.clear()
    config["mdx_configs"].setdefault("toc", {})["slugify"] = name_of
    return config


def on_page_markdown(markdown, **_):
    """A list may follow a line of text without a blank line between them; a block may say what it is besides its language, as the file
    that it stands for."""
    lines, block, listed = [], False, False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            block = not block
            more = re.match(r"```(\w+) (.+)", line)
            if block and more:
                file = more[2].removeprefix("file=")
                lines += [f'<div class="file">{html.escape(file)}</div>', ""] if file != more[2] else []
                line = f"```{more[1]}"
        item = not block and re.match(r"([-*+]|\d+\.) ", line)
        if item and not listed and lines and lines[-1].strip():
            lines.append("")
        listed = bool(item) or listed and bool(line.strip())
        lines.append(line)
    return "\n".join(lines)


def on_page_content(content, page, **_):
    """Wide tables scroll in a box of their own."""
    return content.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def on_post_page(output, page, **_):
    if page.file.name == "README" and not page.url.startswith("docs/") and page.url != "index.html":
        return output  # of rooms: for readers of the code
    for part in re.split(r'(?=<h[123] id=")', page.content)[0:]:
        head = re.match(r'<h[123] id="([^"]*)">(.*?)</h[123]>', part, re.S)
        text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", part))).strip()
        if text:
            FOUND.append([page.url + ("#" + head[1] if head else ""), page.title if not head else html.unescape(re.sub(r"<[^>]+>", "", head[2])),
                          page.title, text[:4000]])
    return output


def on_post_build(config, **_):
    with open(os.path.join(config["site_dir"], "found.js"), "w", encoding="utf-8") as file:
        file.write("window.FOUND = " + json.dumps(FOUND, ensure_ascii=False, separators=(",", ":")) + ";\n")

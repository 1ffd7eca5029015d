"""Small functions for text."""

import re
from collections import Counter

STOP_WORDS = {"the", "a", "an", "and", "or", "of"}


def words(text):
    return re.findall(r"\w+", text)


def common(text, n):
    counts = Counter(words(text))
    return [word for word, _ in counts.most_common(n)]


def slug(title):
    title = title.lower()
    title = re.sub(r"[^a-z0-9]+", "-", title)
    return title


def shorten(text, length):
    if len(text) <= length:
        return text
    return text[:length]


def read_lines(path):
    with open(path) as f:
        return [line.rstrip("\n") for line in f]


class Template:
    def __init__(self, source):
        self.source = source

    def names(self):
        return re.findall(r"{(\w+)}", self.source)

    def render(self, values):
        out = self.source
        for name, value in values.items():
            out = out.replace("{" + name + "}", value)
        return out

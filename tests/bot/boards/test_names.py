"""Names: whatever they contain, they show as Telegram shows them, on one line, escaped, and link to nothing."""

import html
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.boards.names import FIRST_STRONG_ISOLATE, LONGEST_NAME, POP_ISOLATE, WORD_JOINER, clean, plain, shown
from playground.texts import detect

DIRECTIONS = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
FAMILY = "👩\u200d👩\u200d👧\u200d👦"
KISS = "👩🏻\u200d❤\ufe0f\u200d💋\u200d👨🏿"
RAINBOW = "🏳\ufe0f\u200d🌈"

HARMLESS = {
    "Latin": (
        "Ann | X | 7 | O'Neil-Smith | J. R. R. Tolkien | Martin Luther King, Jr. | Ann (away) | C# | "
        "Rock & Roll | <b> | João Gonçalves | Conceição | Ana Luísa | Íñigo Núñez | ¡Ana! | María José | "
        "Cem Öz | Işıl Çağ | İbrahim | Ğ | Siti Nurhaliza | Nguyễn Thị Ánh | Nguyễn Thị Ánh | Łukasz | "
        "Þór | ß | Ann 1987"
    ),
    "Chinese and its neighbours": (
        "小波 | 王小明 | 歐陽 | 𠮷田 | ・・・ | 山田 太郎 | さくら | カナ | 김철수 | 각하 | 〇"
    ),
    "Arabic, Persian, Urdu and Hebrew": (
        "محمد علي | مُحَمَّد | عبد الله | ﷺ | أحمد | علی\u200cرضا | می\u200cخواهم | نیلوفر | ه\u200d | هـ | "
        "پژمان | \u06dd | ١٢٣ | ۴۵ | محمد\u06dd | اردو | שלום | שָׁלוֹם | בְּרֵאשִׁ֖ית | יוסף"
    ),
    "Hindi and other Indic scripts": (
        "प्रिया | कृष्णा | क्षत्रिय | क्\u200dष | क्\u200cष | श्री | श्रीमान् | र्\u200d | हिन्दी | ड़ | ज़ैद | "
        "রহিম | র\u200d্য | ਗੁਰਪ੍ਰੀਤ | ગીતા | ଓଡ଼ିଆ | தமிழ் | స్వామి | ಕನ್ನಡ | രാജന്\u200d | ශ්\u200dරී"
    ),
    "Russian and other scripts": (
        "Иван | Ёлка | Йорик | Олексій | Ђорђе | Ѣ | Γιώργος | Ծովինար | ნინო | ኢትዮጵያ | สมชาย | น้ำ | ที่ | "
        "ລາວ | မြန်မာ | မြွှေ | ខ្មែរ | བོད་ཡིག | བརྒྱུད | ᠮᠣᠩᠭᠣᠯ | ⵣⴰⵣ | ᏣᎳᎩ | ᐃᓄᒃᑎᑐᑦ | ߒߞߏ | 𞤀𞤁 | 𐌰𐌱 | 𒀀 | "
        "𓀀"
    ),
    "ornaments": (
        "𝓐𝓷𝓷 | Ａｎｎ | Ⓐⓝⓝ | 🅰🅽🅽 | ᴀɴɴ | ꧁Ann꧂ | ★ Ann ★ | ♥ | † | ¯_(ツ)_¯ | ʕ•ᴥ•ʔ | Ⅳ | ½ | A̲n̲n̲ | Ånn | ﷽"
    ),
    "emoji up to Unicode 17": (
        "😀 | ❤ | ❤\ufe0f | ☺\ufe0e | 👍🏽 | 👩\u200d👩\u200d👧\u200d👦 | 👩🏻\u200d❤\ufe0f\u200d💋\u200d👨🏿 | "
        "🏳\ufe0f\u200d🌈 | 👨🏽\u200d🦱 | 🧑\u200d🚀 | 🐦\u200d⬛ | 🏴\u200d☠\ufe0f | ❤\ufe0f\u200d🔥 | "
        "👁\ufe0f\u200d🗨\ufe0f | 🧔\u200d♂\ufe0f | "
        "🇹🇷 | 🇧🇷🇪🇸 | "
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f | "
        "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f | "
        "Harry 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f | 1\ufe0f\u20e3 | #\ufe0f\u20e3 | "
        "*\ufe0f\u20e3 | #\u20e3 | "
        "🆗 | 🀄 | 🃏 | © | ™ | 🫠 | \U0001fae8 | \U0001fa77 | \U0001face | \U0001fae9 | "
        "\U0001fac6 | \U0001fabe | \U0001fadf | \U0001fac8 | \U0001faea | \U0001faef | \U0001fa8a | "
        "\U0001f6d8 | 🇨🇶 | 👯🏻\u200d🐰 | 🧑\u200d🩰 | \U0001fa8e\U0001fa8f | \U0001faff"
    ),
    "new to Python 3.11, or private": (
        "\ua7dc | \U00016ea0 | \U00011dd9 | \U000323b0 | \U00018cff | \u20c1 | Ann\uf8ff | �"
    ),
}
"""Names that are shown as they are, by script; | is between them."""

CLEANED = {
    "a\u200bb": "ab",
    "\u200dAnn\u200d": "Ann",
    "Ann\u200d Lee": "Ann Lee",
    "Ann \u200c Lee": "Ann Lee",
    "علی\u200c\u200cرضا": "علی\u200cرضا",
    "علی\u200c \u200cرضا": "علی\u200c رضا",
    "👩\u200d": "👩",
    "Ann\nwins\r\n\tnow": "Ann wins now",
    "Ann\u2028Lee\u2029": "Ann Lee",
    "\u202eevil\u202c": "evil",
    "\u2066\u2067\u2068Ann\u2069\u2069\u2069\u2069": "Ann",
    "\u200f\u200eAnn\u061c": "Ann",
    "a\ud800b": "ab",
    "a\ufffeb\U0010ffff": "ab",
    "An\xadn\ufeff": "Ann",
    "Ann\u3164Lee": "Ann Lee",
    "Ann\u2060\u2063Lee": "AnnLee",
    "Ann\U000e0067\U000e007f": "Ann",
    "🏴\U000e0067\U000e0062": "🏴",
    "🏴" + "\U000e0067" * 40 + "\U000e007f": "🏴",
    "A" + "\u0301" * 60: "A" + "\u0301" * 4,
    "A" + "\u0301\u200d" * 20 + "B": "A\u0301\u200d\u0301\u200d\u0301\u200d\u0301\u200dB",
    "A" + "\u1acf" * 9 + "n" + "\u20dd" * 9: "A" + "\u1acf" * 4 + "n" + "\u20dd" * 4,
    "❤" + "\ufe0f" * 9: "❤" + "\ufe0f" * 4,
    "x\u0307\u0308\u0309\u030a\u030b y": "x\u0307\u0308\u0309\u030a y",
}

LINKING = {
    "mentions": (
        "@somebody | @ann_plays | @gif | Ann @somebody | (@somebody) | @@somebody | /@somebody | @somebody. | "
        "Ann|@oxo_bot"
    ),
    "addresses": (
        "t.me/x | T.ME/x | t.me/oxo_bot?start=x | https://t.me/x | http://example.com | "
        "HTTPS://EXAMPLE.COM/a?b#c | example.com | Example.Com:8080/a | www.example.org | "
        "sub.domain.example.co.uk | xn--e1afmkfd.xn--p1ai.ru | пример.рф | сайт.рус | उदाहरण.भारत | 例子.中国 | "
        "نمونه.ایران | 192.168.1.1 | 1.1.1.1 | 1.1.1.1:80/x | a.b.c.io | x.ai | Ann(t.me/x) | "
        "ftp://example.com/x | tg://resolve?domain=x | ton://transfer | tonsite://x.ton | https://localhost/x | "
        "user:pw@example.com"
    ),
    "commands": ("/start@x_bot | /newgame | /start | Ann /forget | (/start) | @/start | #/start | ./start"),
    "hashtags": (
        "#tag | #тег | #标签 | #وسم | #टैग | ##tag | #tag1 | #1a | #\u200ctag | #·a | # #tag | #tag #tog | "
        "@#tag | #_a"
    ),
    "cashtags": ("$USD | $A | $1INCH | ($BTC) | $USD $EUR | €$USD | $TON/$USD"),
    "e-mail addresses": (
        "ann@example.org | ann.lee+x@mail.example.co.uk | ANN@EXAMPLE.ORG | <ann@example.org> | a@b.io | "
        "mailto:ann@example.org"
    ),
    "phone numbers": (
        "+1 212 555 0123 | +12125550123 | +1-212-555-0123 | +1 (212) 555-0123 | 88005553535 | 8 800 555-35-35 | "
        "+90.532.123.4567 | +49 151 23456789 Ann | 12345678901 | 1234 5678 9012 3456 | "
        "+٠١٢٣٤٥٦٧٨٩٠١"
    ),
}
"""Names of which Telegram would make something else."""


def listed(families: dict[str, str]) -> list[str]:
    return [name for names in families.values() for name in names.split(" | ")]


ANY = st.text(st.characters(codec=None), max_size=200)


@given(ANY)
def test_a_clean_name_is_short_on_one_line_turns_nothing_around_and_shows_something_or_is_empty(name: str) -> None:
    cleaned = clean(name)
    assert len(cleaned) <= LONGEST_NAME
    assert len(cleaned.splitlines()) <= 1
    assert not DIRECTIONS & set(cleaned)
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    cleaned.encode()  # nothing that can't be sent
    kinds = {unicodedata.category(character) for character in cleaned}
    assert not cleaned or any(kind[0] in "LNPS" or kind in {"Cf", "Cn"} for kind in kinds)
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize(
    "name",
    [
        *["", " ", "\u3164", "\u115f\u1160", "\u2800", "\uffa0", "\u200b\u200d", "\ufe0f", "\u0301", "\ue000"],
        *["\u200c", "\u200d\u200d", "\u2060", "\u00ad", "\u034f", "\u180e", "\ufffc", "\U0001d159", "\ufeff"],
        *["\u2028", "\n\t", "\u202e\u2067", "\ufffe", "\U0001ffff", "\ud800", "\u2065", "\ufff5", "\U000e0041"],
        *["\U000e0067\U000e007f", "\U000e0100", "\u00a0\u2003\u3000", "\u0301\u200d\u0301", "\x00\x1f\x7f\x9f"],
        "\u3164\u200d\u3164",
    ],
)
def test_a_name_without_anything_to_see_is_empty(name: str) -> None:
    assert clean(name) == ""
    assert shown(name, "Player") == shown(None, "Player") == f"{FIRST_STRONG_ISOLATE}Player{POP_ISOLATE}"


@pytest.mark.parametrize("name", listed(HARMLESS))
def test_a_harmless_name_stays_as_it_is(name: str) -> None:
    assert clean(name) == name
    assert shown(name, "Player") == html.escape(f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}")


@given(ANY)
@example("<b>Ann</b> & 'Bo'")
def test_a_shown_name_is_text_between_isolates_and_no_markup(name: str) -> None:
    text = shown(name, "Player")
    assert text.startswith(FIRST_STRONG_ISOLATE)
    assert text.endswith(POP_ISOLATE)
    inside = text[1:-1]
    assert not DIRECTIONS & set(inside)
    assert not set("<>\"'") & set(inside)
    assert html.unescape(inside).replace(WORD_JOINER, "") == (clean(name) or "Player")


@pytest.mark.parametrize(("name", "kept"), CLEANED.items())
def test_only_what_breaks_the_line_or_shows_nothing_goes(name: str, kept: str) -> None:
    assert clean(name) == kept


@pytest.mark.parametrize("name", listed(LINKING))
def test_telegram_makes_no_link_mention_or_command_of_a_name(name: str) -> None:
    assert detect(name)
    for text in (
        html.unescape(shown(name, "Player")),
        plain(name, "Player"),
        f"x {plain(name, '')} {plain(name, '')}",
    ):
        assert not detect(text)
        assert clean(name) in text.replace(WORD_JOINER, "")


@given(
    st.lists(
        st.sampled_from([*listed(LINKING), *"@#$/.:+-1aé_ \u200c", "com", "12", "12345/start", "t.me", "://"]),
        max_size=8,
    ).map("".join)
)
def test_telegram_links_nothing_in_a_name_of_several_parts(name: str) -> None:
    assert not detect(f"Now {plain(name, 'Player')}: {plain(name, 'Player')}")


@given(st.lists(st.sampled_from([*"@#$/.:1a", "\u0301", "\ufe0f", "\u20e3"]), max_size=12).map("".join))
def test_a_mark_stays_on_its_sign(name: str) -> None:
    assert not re.search(f"{WORD_JOINER}[\u0301\ufe0f\u20e3]", plain(name, ""))


@given(
    st.lists(
        st.sampled_from([FAMILY, KISS, RAINBOW, ENGLAND, "🇹🇷", "1\ufe0f\u20e3", "👍🏽", "\U0001fae9"]), min_size=20
    )
)
def test_a_long_name_is_cut_between_emoji(parts: list[str]) -> None:
    kept = clean("".join(parts)).removesuffix("…")
    assert len(kept) > LONGEST_NAME - 13
    assert any("".join(parts[:count]) == kept for count in range(len(parts) + 1))


@pytest.mark.parametrize(
    "cluster", ["क्ष", "क्\u200dष", "க்ஷி", "e\u0301\u0323", "مُ", "น้ำ", "각", "မြွှေ", "ශ්\u200dරී", "ا\u200cب", "אָ֖"]
)
def test_a_long_name_is_cut_between_clusters_of_letters(cluster: str) -> None:
    for before in range(len(cluster) + 2):
        name = "x" * before + f"{cluster}·" * 40
        kept = clean(name)
        assert kept.endswith("…")
        whole = re.fullmatch(rf"x*(?:{cluster}·)*(?:{cluster}|ا)?…", kept)
        assert whole, kept


def test_a_chain_without_an_end_is_cut_all_the_same_and_a_long_name_ends_in_an_ellipsis() -> None:
    chain = clean("\u200d".join("👩" * 60))
    assert LONGEST_NAME - 2 <= len(chain) <= LONGEST_NAME
    assert chain.endswith("👩…")
    assert clean("x" * 500) == "x" * (LONGEST_NAME - 1) + "…"

"""Of what people changed in a text, only the sentences that differ are told."""

from core.posts.rules.edits import Edit, changed_part, edits_between

WRITTEN = "Rain is no drama! 🚲\n\nMudguards keep your back dry. Ask us in the shop.\n\n#Rain"


def test_only_the_sentences_that_differ_are_told() -> None:
    approved = WRITTEN.replace("Rain is no drama! 🚲", "It rains on 118 days here.")
    assert changed_part(Edit(WRITTEN, approved), 300) == Edit("Rain is no drama! 🚲", "It rains on 118 days here.")


def test_what_was_added_or_left_out_has_an_empty_side() -> None:
    without = WRITTEN.replace(" Ask us in the shop.", "")
    assert changed_part(Edit(WRITTEN, without), 300) == Edit("Ask us in the shop.", "")
    assert changed_part(Edit(without, WRITTEN), 300) == Edit("", "Ask us in the shop.")


def test_spaces_alone_are_no_change() -> None:
    assert changed_part(Edit(WRITTEN, WRITTEN.replace("\n\n", "\n")), 300) is None


def test_a_long_change_is_cut_on_both_sides() -> None:
    part = changed_part(Edit("Rain again. " * 90, "Sun at last. " * 90), 100)
    assert part is not None
    assert 50 < len(part.before) <= 100
    assert 50 < len(part.after) <= 100


def test_each_network_has_a_change_of_its_own() -> None:
    def variants(**texts: str) -> list[dict[str, str | None]]:
        return [{"channel": kind, "account_id": None, "content": text} for kind, text in texts.items()]

    written = {"content": WRITTEN, "variants": variants(facebook="Rain again.", mastodon="Rain.", bluesky="Wet.")}
    now = variants(facebook="Rain  again.\n", mastodon="Snow.", linkedin="Only a person wrote this.")
    assert list(edits_between(written, WRITTEN, now)) == [Edit("Rain.", "Snow.")]
    assert list(edits_between(written, "Sun.", [])) == [Edit(WRITTEN, "Sun.")]
    # the first network left the post: its text is that of the next one now
    assert list(edits_between(written, "Rain at last.", variants(linkedin=WRITTEN))) == []
    assert list(edits_between(written, " ", now[:1])) == [], "an emptied text teaches nothing"

"""Categories as a site has them, in the order in which they are shown."""

from hypothesis import given
from hypothesis import strategies as st

from core.websites.rules.terms import Category, StoredTaxonomy, Taxonomy, nest_categories


def test_each_stands_below_the_one_that_it_lies_in() -> None:
    found = [Category("1", "News"), Category("2", "Town", "1"), Category("3", "art"), Category("4", "Hall", "2")]
    assert [(one.name, depth) for one, depth in nest_categories(found)] == [
        ("art", 0),
        ("News", 0),
        ("Town", 1),
        ("Hall", 2),
    ]


IDS = st.sampled_from(["1", "2", "3", "4", "5"])


@given(st.dictionaries(IDS, IDS | st.just("")))
def test_each_is_shown_once_whatever_lies_in_what(parents: dict[str, str]) -> None:
    """Also in itself, in a ring, or in nothing that is there."""
    found = [Category(id, f"n{id}", parent) for id, parent in parents.items()]
    assert sorted(one.id for one, _ in nest_categories(found)) == sorted(parents)


def test_what_is_there_no_more_keeps_its_name() -> None:
    first = StoredTaxonomy().updated_with(Taxonomy((Category("1", "News"), Category("2", "Town", "1")), ("bikes",)))
    later = StoredTaxonomy.from_json(first.to_json()).updated_with(Taxonomy((Category("1", "News"),)))
    assert (later.gone, later.terms.categories) == ({"2": "Town"}, (Category("1", "News"),))
    assert later.updated_with(first.terms).gone == {}

import base64
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from core.ids import new_id
from core.setting_types import CodecKey
from temporal.client import data_converter
from workflows.messages import MailOrder


@pytest.mark.parametrize("keys", [(), (CodecKey("k1", base64.b64decode("A" * 43 + "=")),)], ids=["plain", "encrypted"])
def test_what_one_converter_has_learnt_of_a_type_all_of_them_know(
    monkeypatch: pytest.MonkeyPatch, keys: tuple[CodecKey, ...]
) -> None:
    """Temporal makes one for each workflow that is in memory."""
    order, learnt = MailOrder(new_id()), []
    make = TypeAdapter.__init__

    def counted(self: TypeAdapter[Any], *args: Any, **options: Any) -> None:
        learnt.append(args)
        make(self, *args, **options)

    monkeypatch.setattr(TypeAdapter, "__init__", counted)
    for _ in range(3):
        converter = replace(data_converter(keys)).payload_converter
        assert converter.from_payloads(converter.to_payloads([order]), [MailOrder]) == [order]
    assert len(learnt) <= 1

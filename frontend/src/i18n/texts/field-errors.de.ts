/** Sentences of codes that a field tells by itself, before any call. */
export const errors = {
  bad_time: '„{{value}}“ ist keine Uhrzeit. Trage eine von 00:00 bis 23:59 ein.',
  delivery_address_unusable: 'Das ist keine Adresse eines Beitrags bei diesem Netzwerk. Nimm dort „Link zum Beitrag kopieren“.',
  first_comment_unsupported:
    'Keines dieser Netzwerke hat einen ersten Kommentar. Nimm ihn heraus, oder füge ein Konto hinzu, das einen hat.',
  link_not_usable: 'Das ist keine Adresse einer Webseite. Trage eine wie https://example.org ein, ohne Passwort.',
  link_title_missing: 'Dieses Netzwerk zeigt eine Karte, und die braucht einen Titel. Trage ihn unter der Adresse des Links ein.',
  slot_past: 'Diese Zeit ist schon vorbei.',
}

export const errorVariants = {
  invalid_input_end_date: 'Das Ende liegt vor dem Anfang. Wähle einen späteren Tag.',
}

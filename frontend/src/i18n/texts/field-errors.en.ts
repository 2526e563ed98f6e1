/** Sentences of codes that a field tells by itself, before any call. */
export const errors = {
  bad_time: '“{{value}}” is not a time. Enter one from 00:00 to 23:59.',
  delivery_address_unusable: 'This is no address of a post on this network. Use “Copy link to post” there.',
  first_comment_unsupported:
    'None of these networks has a first comment. Take it out, or add an account of one that has.',
  link_not_usable: 'This is not an address of a web page. Enter one such as https://example.org, without a password.',
  link_title_missing: 'This network shows a card, which needs a title. Enter one below the address of the link.',
  slot_past: 'This time is in the past.',
}

export const errorVariants = {
  invalid_input_end_date: 'The end lies before the start. Choose a later day.',
}

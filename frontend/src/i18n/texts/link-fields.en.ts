/** Of the link of a post, what its fields say. */
export const linkFields = {
  address: 'Address of the link',
  cardTitle: 'Title of the card',
  cardDescription: 'Description of the card (optional)',
  remove: 'Remove link',
  removed: 'The link is removed.',
  asCard: '{{networks}}: a card with title, description and the first image.',
  asPageCard: '{{networks}}: a card, for which the network reads title and picture at the address.',
  asText: '{{networks}}: the address stands below the text, unless the text has it.',
  leftOut: '{{networks}}: without the link, since nobody could press it there.',
}

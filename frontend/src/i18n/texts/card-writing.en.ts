/** Of a card that is made for a post, what its own panel says. */
export const writing = {
  cardTitle: 'Design a card',
  headline: 'Headline',
  cardText: 'Text on the card',
  look: 'Look',
  lookChosen: 'Chosen to fit the words',
  cardPreview: 'Preview of the card',
  addCard: 'Add to the post',
  cardFailed: 'The card could not be made.',
}

/** Of a card that is made for a post, what its own panel says. */
export const writing = {
  cardTitle: 'Karte gestalten',
  headline: 'Überschrift',
  cardText: 'Text auf der Karte',
  look: 'Aussehen',
  lookChosen: 'Passend zu den Worten gewählt',
  cardPreview: 'Vorschau der Karte',
  addCard: 'Zum Beitrag hinzufügen',
  cardFailed: 'Die Karte konnte nicht gemacht werden.',
}

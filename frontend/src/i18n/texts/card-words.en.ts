/** What cards are made of, by its names. */
export const cards = {
  layouts: { number: 'Number', quote: 'Quote', steps: 'Steps', event: 'Event', statement: 'Statement' },
  fonts: {
    schibsted: 'Schibsted Grotesk',
    source_sans: 'Source Sans',
    source_serif: 'Source Serif',
    zilla_slab: 'Zilla Slab',
  },
  palettes: { petrol: 'Petrol', saffron: 'Saffron', paper: 'Paper', night: 'Night', mist: 'Mist', clay: 'Clay', plum: 'Plum' },
  notes: {
    ink_switched: 'A text colour is too close to its ground, so the card uses white or near-black instead.',
    text_shrunk: 'The text is long, so it is set smaller.',
    text_cut: 'The text does not fit on the card and is cut at a word. Shorten it.',
    characters_dropped: 'Some characters exist in no typeface and are left out of the card.',
    other: 'The card was adjusted to stay readable.',
  },
}

/** What cards are made of, by its names. */
export const cards = {
  layouts: { number: 'Zahl', quote: 'Zitat', steps: 'Schritte', event: 'Termin', statement: 'Aussage' },
  fonts: {
    schibsted: 'Schibsted Grotesk',
    source_sans: 'Source Sans',
    source_serif: 'Source Serif',
    zilla_slab: 'Zilla Slab',
  },
  palettes: { petrol: 'Petrol', saffron: 'Safran', paper: 'Papier', night: 'Nacht', mist: 'Nebel', clay: 'Ton', plum: 'Pflaume' },
  notes: {
    ink_switched: 'Eine Textfarbe hebt sich zu wenig vom Hintergrund ab, die Karte nimmt deshalb Weiß oder fast Schwarz.',
    text_shrunk: 'Der Text ist lang und wird deshalb kleiner gesetzt.',
    text_cut: 'Der Text passt nicht auf die Karte und wird an einem Wort gekürzt. Fass dich kürzer.',
    characters_dropped: 'Einige Zeichen gibt es in keiner Schrift, sie fehlen auf der Karte.',
    other: 'Die Karte wurde angepasst, damit sie lesbar bleibt.',
  },
}

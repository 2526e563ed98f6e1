export const coming = {
  notice: 'Diese Seite ist noch nicht gebaut',
  topics: 'Hier baust du später Themenbäume: von Hand oder aus einer eingefügten Liste.',
  articles: 'Hier findest du später die Artikel all deiner Websites.',
  websites: 'Hier verbindest du später Websites und lässt Artikel für sie schreiben.',
}

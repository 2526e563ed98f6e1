export const coming = {
  notice: 'Diese Seite ist noch nicht gebaut',
  topics: 'Hier baust du später Themenbäume: von Hand oder aus einer eingefügten Liste.',
  subscription: 'Hier siehst du später dein Abonnement mit Preis und Terminen.',
  transactions: 'Hier siehst du später, was jeder Text und jedes Bild gekostet hat, mit den Token.',
  articles: 'Hier findest du später die Artikel all deiner Websites.',
  websites: 'Hier verbindest du später Websites und lässt Artikel für sie schreiben.',
}

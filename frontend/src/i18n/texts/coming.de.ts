export const coming = {
  notice: 'Diese Seite ist noch nicht gebaut',
  marketplace: 'Hier findest du später öffentliche Vorlagen, siehst Beispiele und kopierst dir eine.',
  topics: 'Hier baust du später Themenbäume: von Hand oder aus einer eingefügten Liste.',
  calendar: 'Hier siehst du später geplante, wartende und veröffentlichte Beiträge nach Monat, Woche und Tag und verschiebst sie.',
  mediaGallery: 'Hier lädst du später Bilder hoch, lässt welche erstellen und siehst, wo jedes verwendet wird.',
  subscription: 'Hier siehst du später dein Abonnement mit Preis und Terminen.',
  transactions: 'Hier siehst du später, was jeder Text und jedes Bild gekostet hat, mit den Token.',
  articles: 'Hier findest du später die Artikel all deiner Websites.',
  websites: 'Hier verbindest du später Websites und lässt Artikel für sie schreiben.',
}

export const coming = {
  notice: 'Diese Seite ist noch nicht gebaut',
  topics: 'Hier baust du später Themenbäume: von Hand oder aus einer eingefügten Liste.',
}

/** Of images, what is said wherever one is shown. */
export const media = {
  pictureMissing: 'Gerade nicht verfügbar',
  unnamed: { upload: 'Bild ohne Namen', ai: 'KI-Bild', card: 'Karte' },
  kilobytes: '{{size}} KB',
  megabytes: '{{size}} MB',
}

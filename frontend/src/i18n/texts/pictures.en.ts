/** Of images, what is said wherever one is shown. */
export const media = {
  pictureMissing: 'Not available at the moment',
  unnamed: { upload: 'Image without a name', ai: 'AI image', card: 'Card' },
  kilobytes: '{{size}} KB',
  megabytes: '{{size}} MB',
}

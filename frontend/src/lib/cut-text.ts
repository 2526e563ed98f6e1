/** The first so many characters, as the server counts them: never half of one, such as of an emoji. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : [...text].slice(0, longest).join('')
}

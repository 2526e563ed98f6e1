/** The first so many characters, as the server counts them: never half of one, such as of an emoji. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : [...text].slice(0, longest).join('')
}

/** For a line that names something: whole, or cut after a word with dots. */
export function shortened(text: string, longest: number): string {
  const cut = cutText(text, longest)
  return cut === text ? text : `${cut.replace(/[,;:.!?]?\s+\S*$/, '')}…`
}

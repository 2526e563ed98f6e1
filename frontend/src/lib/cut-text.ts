/** Return at most `longest` characters (code points, as the server counts): never half of a surrogate pair. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : [...text].slice(0, longest).join('')
}

/** Return the text, cut after a word with an ellipsis if it is longer. */
export function shortened(text: string, longest: number): string {
  const cut = cutText(text, longest)
  return cut === text ? text : `${cut.replace(/[,;:.!?]?\s+\S*$/, '')}…`
}

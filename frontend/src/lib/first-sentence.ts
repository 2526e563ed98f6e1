import { shortened } from './cut-text'

const END = /[.!?…]+["'”’“»«)\]]*(?=\s|$)|[。！？]+[」』”’）]*/g
/** Abbreviations and numbers whose full stop ends no sentence: `Dr. Who`, `z. B.`, `3. Oktober`. As on the server. */
const NOT_AN_END =
  /(?:^|[\s(])(?:\p{L}|\d{1,2}|Dr|Mr|Mrs|Ms|Prof|St|Nr|No|ca|bzw|vgl|inkl|evtl|ggf|vs|approx|e\.g|i\.e|z\.B|d\.h|u\.a)\.$/u
const GOES_ON = /^\s?\p{Ll}/u

/** Return the first sentence of the first non-empty line, cut after a word if it is longer than `longest`. */
export function firstSentence(text: string, longest: number): string {
  const line = text.split('\n').find((candidate) => candidate.trim())?.trim().replaceAll(/\s+/g, ' ') ?? ''
  for (const { 0: mark, index } of line.matchAll(END)) {
    const [sentence, rest] = [line.slice(0, index + mark.length), line.slice(index + mark.length)]
    if (mark !== '.' || !(NOT_AN_END.test(sentence) || GOES_ON.test(rest))) return shortened(sentence, longest)
  }
  return shortened(line, longest)
}

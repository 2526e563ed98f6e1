/** The same keys with any text: what a translation has to fill in. */
export type Shape<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Shape<Texts[Key]> }

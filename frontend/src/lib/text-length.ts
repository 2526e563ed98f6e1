/** As the server counts a post for its network: in UTF-16 units, of which a text never has fewer than characters. */
export const textLength = (text: string): number => text.length

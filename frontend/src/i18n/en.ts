import { common } from './texts/common.en'
import { errors, remedies } from './texts/failure.en'
import { navigation } from './texts/navigation.en'
import { status } from './texts/status.en'
import type { Texts } from './translate'

/**
 * What every page begins with. The English texts decide which keys exist: a German one that is missing does not
 * compile.
 */
export const en = { common, errors, navigation, remedies, status }

export { en as everybodys }

/** Each part is a file of its own: nobody loads what is not shown. */
export const files = import.meta.glob<Texts>(['./texts/*.en.ts', '!./texts/{common,failure,navigation,status}.*'])

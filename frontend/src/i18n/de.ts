import type { en } from './en'
import type { Shape } from './shape'
import { common } from './texts/common.de'
import { errors, remedies } from './texts/failure.de'
import { navigation } from './texts/navigation.de'
import { status } from './texts/status.de'
import type { Texts } from './translate'

export const de = { common, errors, navigation, remedies, status } satisfies Shape<typeof en>

export { de as everybodys }

/** Each part is a file of its own: nobody loads what is not shown. */
export const files = import.meta.glob<Texts>(['./texts/*.de.ts', '!./texts/{common,failure,navigation,status}.*'])

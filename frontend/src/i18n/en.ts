import { common } from './texts/common.en'
import { errors, remedies } from './texts/failure.en'
import { navigation } from './texts/navigation.en'
import { status } from './texts/status.en'

/**
 * What every page begins with. The English texts decide which keys exist: a German one that is missing does not
 * compile.
 */
export const en = { common, errors, navigation, remedies, status }

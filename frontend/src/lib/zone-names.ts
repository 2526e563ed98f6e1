/** All names of one zone per line. Browsers list only one of them, some the older one; users search for any. */
const SAME = [
  'Africa/Asmara Africa/Asmera',
  'Africa/Cairo Egypt',
  'America/Anchorage US/Alaska',
  'America/Argentina/Buenos_Aires America/Buenos_Aires',
  'America/Argentina/Catamarca America/Catamarca',
  'America/Argentina/Cordoba America/Cordoba America/Rosario',
  'America/Argentina/Jujuy America/Jujuy',
  'America/Argentina/Mendoza America/Mendoza',
  'America/Chicago US/Central',
  'America/Denver US/Mountain',
  'America/Edmonton America/Yellowknife Canada/Mountain',
  'America/Halifax Canada/Atlantic',
  'America/Indiana/Indianapolis America/Indianapolis',
  'America/Iqaluit America/Pangnirtung',
  'America/Kentucky/Louisville America/Louisville',
  'America/Los_Angeles US/Pacific',
  'America/New_York US/Eastern',
  'America/Nuuk America/Godthab',
  'America/Phoenix US/Arizona',
  'America/Tijuana America/Ensenada',
  'America/Toronto America/Montreal Canada/Eastern',
  'America/Vancouver Canada/Pacific',
  'America/Winnipeg Canada/Central',
  'Asia/Ashgabat Asia/Ashkhabad',
  'Asia/Dhaka Asia/Dacca',
  'Asia/Ho_Chi_Minh Asia/Saigon',
  'Asia/Hong_Kong Hongkong',
  'Asia/Jerusalem Asia/Tel_Aviv Israel',
  'Asia/Kathmandu Asia/Katmandu',
  'Asia/Kolkata Asia/Calcutta',
  'Asia/Macau Asia/Macao',
  'Asia/Makassar Asia/Ujung_Pandang',
  'Asia/Seoul ROK',
  'Asia/Shanghai Asia/Chongqing Asia/Chungking Asia/Harbin PRC',
  'Asia/Tehran Iran',
  'Asia/Thimphu Asia/Thimbu',
  'Asia/Tokyo Japan',
  'Asia/Ulaanbaatar Asia/Ulan_Bator',
  'Asia/Urumqi Asia/Kashgar',
  'Asia/Yangon Asia/Rangoon',
  'Atlantic/Faroe Atlantic/Faeroe',
  'Atlantic/Reykjavik Iceland',
  'Australia/Sydney Australia/Canberra Australia/NSW',
  'Europe/Chisinau Europe/Tiraspol',
  'Europe/Istanbul Turkey',
  'Europe/Kyiv Europe/Kiev Europe/Uzhgorod',
  'Europe/Lisbon Portugal',
  'Europe/London Europe/Belfast GB',
  'Europe/Warsaw Poland',
  'Pacific/Auckland NZ',
  'Pacific/Chuuk Pacific/Truk Pacific/Yap',
  'Pacific/Honolulu US/Hawaii',
  'Pacific/Kanton Pacific/Enderbury',
  'Pacific/Pohnpei Pacific/Ponape',
].map((names) => names.split(' '))

/** Return all names of a zone, with its own. */
export const namesOf = (zone: string): string[] => SAME.find((names) => names.includes(zone)) ?? [zone]

const plain = (text: string) => text.trim().toLowerCase().replaceAll('_', ' ')

/** Return whether the search matches one of the zone's names, with spaces or underscores. */
export const matchesZone = (zone: string, search: string): boolean =>
  namesOf(zone).some((name) => plain(name).includes(plain(search)))

/** Return the zones with the chosen one under its chosen name, even if the browser does not know it. */
export function withChosen(zones: string[], chosen: string | null): string[] {
  if (!chosen) return zones
  const names = namesOf(chosen)
  const named = zones.map((zone) => (names.includes(zone) ? chosen : zone))
  return named.includes(chosen) ? named : [chosen, ...named]
}

package locale

import "strings"

// zonesOf maps a language other than English to the zones of countries (zone.tab) where it is
// the majority language. A name that ends with * stands for all below it.
var zonesOf = map[string]string{
	"ar": "Africa/Algiers Africa/Cairo Africa/Casablanca Africa/El_Aaiun Africa/Khartoum Africa/Nouakchott " +
		"Africa/Tripoli Africa/Tunis Asia/Aden Asia/Amman Asia/Baghdad Asia/Bahrain Asia/Beirut Asia/Damascus " +
		"Asia/Dubai Asia/Gaza Asia/Hebron Asia/Kuwait Asia/Muscat Asia/Qatar Asia/Riyadh Egypt Libya",
	"de": "Europe/Berlin Europe/Busingen Europe/Luxembourg Europe/Vaduz Europe/Vienna Europe/Zurich",
	"es": "Africa/Ceuta Africa/Malabo America/Argentina/* America/Asuncion America/Bahia_Banderas " +
		"America/Bogota America/Buenos_Aires America/Cancun America/Caracas America/Catamarca " +
		"America/Chihuahua America/Ciudad_Juarez America/Cordoba America/Costa_Rica America/Coyhaique " +
		"America/El_Salvador America/Ensenada America/Guatemala America/Guayaquil America/Havana " +
		"America/Hermosillo America/Jujuy America/La_Paz America/Lima America/Managua America/Matamoros " +
		"America/Mazatlan America/Mendoza America/Merida America/Mexico_City America/Monterrey " +
		"America/Montevideo America/Ojinaga America/Panama America/Puerto_Rico America/Punta_Arenas " +
		"America/Rosario America/Santa_Isabel America/Santiago America/Santo_Domingo America/Tegucigalpa " +
		"America/Tijuana Atlantic/Canary Chile/* Cuba Europe/Madrid Mexico/* Pacific/Easter Pacific/Galapagos",
	"fr": "Africa/Abidjan Africa/Bamako Africa/Bangui Africa/Brazzaville Africa/Bujumbura Africa/Conakry " +
		"Africa/Dakar Africa/Djibouti Africa/Douala Africa/Kinshasa Africa/Libreville Africa/Lome " +
		"Africa/Lubumbashi Africa/Ndjamena Africa/Niamey Africa/Ouagadougou Africa/Porto-Novo America/Cayenne " +
		"America/Guadeloupe America/Marigot America/Martinique America/Miquelon America/Port-au-Prince " +
		"America/St_Barthelemy Europe/Monaco Europe/Paris Indian/Antananarivo Indian/Comoro Indian/Mayotte " +
		"Indian/Reunion Pacific/Gambier Pacific/Marquesas Pacific/Noumea Pacific/Tahiti Pacific/Wallis",
	"it": "Europe/Rome Europe/San_Marino Europe/Vatican",
	"ja": "Asia/Tokyo Japan",
	"nl": "America/Aruba America/Curacao America/Kralendijk America/Lower_Princes America/Paramaribo " +
		"Europe/Amsterdam Europe/Brussels",
	"pl": "Europe/Warsaw Poland",
	"pt": "Africa/Bissau Africa/Luanda Africa/Maputo Africa/Sao_Tome America/Araguaina America/Bahia " +
		"America/Belem America/Boa_Vista America/Campo_Grande America/Cuiaba America/Eirunepe " +
		"America/Fortaleza America/Maceio America/Manaus America/Noronha America/Porto_Velho America/Recife " +
		"America/Rio_Branco America/Santarem America/Sao_Paulo Asia/Dili Atlantic/Azores Atlantic/Cape_Verde " +
		"Atlantic/Madeira Brazil/* Europe/Lisbon Portugal",
	"tr": "Asia/Istanbul Europe/Istanbul Turkey",
	"uk": "Europe/Kiev Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye",
}

// languageOfZone returns the language of a time zone's country, one of Languages, or else
// English: en in the Americas, en-GB (24-hour clock) elsewhere.
func languageOfZone(zone string) string {
	region, _, _ := strings.Cut(zone, "/")
	for language, zones := range zonesOf {
		for name := range strings.FieldsSeq(zones) {
			below, all := strings.CutSuffix(name, "*")
			if name == zone || all && strings.HasPrefix(zone, below) {
				return language
			}
		}
	}
	if region == "Africa" || region == "Asia" || region == "Europe" || region == "Indian" || region == "Atlantic" {
		return "en-GB"
	}
	return Default
}

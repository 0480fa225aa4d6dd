/** Seasons, months and days, which guessers put before a year. English, Spanish, French and German. */
export const TIMES = wordsOf(`
  spring summer autumn fall winter primavera verano otoño invierno printemps été automne hiver frühling fruehling sommer
  herbst january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
`);

/** Words found on every desk where Faxdesk runs, and words that are chosen instead of a password. */
export const FIELD_WORDS = wordsOf(`
  fax faxes clinic pharmacy hospital medical doctor dental lawfirm legal freight office reception frontdesk front
  desk scanner printer password passwort kennwort passwd motdepasse contrasena contraseña secret changeme welcome letmein
  default admin administrator owner test user root hello qwerty qwertz azerty iloveyou correcthorsebatterystaple faxdesk
`);

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}

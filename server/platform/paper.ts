/** Countries whose paper is Letter. */
const LETTER_COUNTRIES = new Set([
  'US',
  'CA',
  'MX',
  'PR',
  'PH',
  'CL',
  'CO',
  'CR',
  'DO',
  'GT',
  'PA',
  'SV',
  'VE',
]);

/** Returns the paper of a country (ISO 3166). */
export const paperOf = (country: string): 'letter' | 'a4' =>
  LETTER_COUNTRIES.has(country) ? 'letter' : 'a4';

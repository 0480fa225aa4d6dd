/** What is used of the rules of all countries; loaded only as a whole, after the first picture. */
export {
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';

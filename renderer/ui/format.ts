export * from './local-formats.ts';
export { usePhoneFormat } from './phone-reader.ts';

import { OPERATION } from '../../../../server/platform/ipp/codes.ts';
import type { IppAttribute } from '../../../../server/platform/ipp/message.ts';
import { attribute } from '../../../../server/platform/ipp/values.ts';

/** Returns what a printer says about itself that never changes (RFC 8011, 5.4, the required ones; PWG 5100.12). */
export const fixedDescription = (url: string): IppAttribute[] => [
  attribute('charset-configured', 'charset', 'utf-8'),
  attribute('charset-supported', 'charset', 'utf-8'),
  attribute('compression-supported', 'keyword', 'none'),
  attribute('document-format-default', 'mimeMediaType', 'application/octet-stream'),
  attribute('generated-natural-language-supported', 'naturalLanguage', 'en'),
  attribute('ipp-versions-supported', 'keyword', '1.1', '2.0'),
  attribute('media-col-default', 'collection', [
    attribute('media-size', 'collection', [
      attribute('x-dimension', 'integer', 21_000),
      attribute('y-dimension', 'integer', 29_700),
    ]),
  ]),
  attribute('natural-language-configured', 'naturalLanguage', 'en'),
  attribute(
    'operations-supported',
    'enum',
    OPERATION.printJob,
    OPERATION.getJobAttributes,
    OPERATION.getJobs,
    OPERATION.getPrinterAttributes,
  ),
  attribute('pdl-override-supported', 'keyword', 'not-attempted'),
  attribute('printer-info', 'text', 'Reception'),
  attribute('printer-location', 'text', 'First floor'),
  attribute('printer-make-and-model', 'text', 'Example Laser 5'),
  attribute('printer-more-info', 'uri', url.replace(/^ipp/u, 'http')),
  attribute('printer-name', 'name', 'reception'),
  attribute('printer-uri-supported', 'uri', url),
  attribute('uri-authentication-supported', 'keyword', 'requesting-user-name'),
  attribute('uri-security-supported', 'keyword', 'none'),
];

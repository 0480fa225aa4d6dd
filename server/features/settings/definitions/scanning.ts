import { z } from 'zod';
import { listSetting } from '../../../platform/setting-kinds.ts';

const RULE = 'must be the address of a scanner, such as 192.168.1.20 or http://scanner.office.example/eSCL';
/** A host name or address, with scheme, port and path where they are needed. */
const PATTERN = String.raw`^(https?://)?([A-Za-z0-9.\-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?(/[A-Za-z0-9._~/\-]{0,200})?$`;

export const scanningSettings = {
  SCANNERS: listSetting({
    group: 'Scan to fax',
    label: 'Scanners',
    help: 'Addresses of scanners in your network that speak AirScan (eSCL), as most office scanners do. Staff can then scan pages on the Send screen. The search finds most of them.',
    entry: z.string().refine((text) => isAddress(text), RULE),
    format: 'line',
    rule: { pattern: PATTERN, sentence: `It ${RULE}.` },
  }),
};

function isAddress(text: string): boolean {
  return (
    new RegExp(PATTERN, 'u').test(text) && URL.canParse(text.startsWith('http') ? text : `http://${text}`)
  );
}

import { PRINTER_PATH } from '../../../../shared/printing.ts';
import type { AnnouncedPrinter } from '../../https/types.ts';
import type { PrintingParts } from '../parts.ts';
import { ANY_FORMAT, FORMATS } from '../receive.ts';
import { DEVICE, MAKE, PRINTER_NAME, RASTER } from './printer-attributes.ts';

/** Returns the address of the console for other computers, or the one of this computer while they have none. */
export function networkConsoleUrl({
  https,
  consoleUrl,
}: Pick<PrintingParts, 'https' | 'consoleUrl'>): string {
  const [address] = https.addresses();
  return address === undefined ? consoleUrl() : `${address}/admin/ui/`;
}

/**
 * Returns the printer for other computers as it is announced: the TXT record of IPP Everywhere and AirPrint, with the
 * values of the attributes of the same meaning.
 */
export function announcedPrinter(
  parts: PrintingParts,
  place: { readonly address: string; readonly port: number; readonly uuid: string },
): AnnouncedPrinter {
  const { address, port, uuid } = place;
  return {
    name: PRINTER_NAME,
    address,
    port,
    facts: {
      txtvers: '1',
      qtotal: '1',
      rp: PRINTER_PATH.slice(1),
      ty: MAKE,
      note: parts.organization() ?? '',
      adminurl: networkConsoleUrl(parts),
      priority: '50',
      product: `(${MAKE})`,
      pdl: [ANY_FORMAT, ...FORMATS].join(','),
      UUID: uuid,
      TLS: '1.2',
      air: 'username,password',
      Color: 'F',
      Duplex: 'F',
      Copies: 'T',
      Fax: 'F',
      Scan: 'F',
      kind: 'document',
      PaperMax: 'legal-A4',
      URF: RASTER.join(','),
      usb_MFG: DEVICE.MFG,
      usb_MDL: DEVICE.MDL,
      usb_CMD: DEVICE.CMD,
    },
  };
}

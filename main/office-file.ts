import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { DesktopGatewayChoice } from '../shared/desktop.ts';
import { programFiles } from './environment.ts';
import type { OtherGateway } from './other-gateway.ts';
import { readOwnerFile } from './owner-file.ts';

const OfficeFile = z.object({
  updates: z.string().max(500).optional(),
  gateway: z.string().max(300).optional(),
  certificate: z.string().max(200).optional(),
  start_at_login: z.boolean().optional(),
});

/** Decisions of the office for the application on this computer; each person decides what is left out. */
export interface OfficeDecisions {
  /** Place of new versions, or `off`. */
  readonly updates?: string;
  /** Gateway that every window shows; the computer then runs none. */
  readonly gateway?: OtherGateway;
  readonly startAtLogin?: boolean;
}

/** Returns the path of the file, in a folder that only an administrator of the computer can write. */
export function officeFile(platform: string, programFolder: string | undefined): string {
  if (platform === 'win32')
    return win32.join(programFolder ?? 'C:\\Program Files', 'Faxdesk policy', 'desktop.json');
  const folder = platform === 'darwin' ? '/Library/Application Support/Faxdesk' : '/etc/faxdesk';
  return posix.join(folder, 'desktop.json');
}

/** Reads the file of this computer. Null for one that is damaged or cannot be read. */
export async function readOfficeFile(): Promise<OfficeDecisions | null> {
  const text = await readOwnerFile(officeFile(process.platform, programFiles())).catch(() => '');
  return parseOfficeFile(text);
}

/** Parses the text of the file; null, where there is no file, decides nothing. Returns null for one that is damaged. */
export function parseOfficeFile(text: string | null): OfficeDecisions | null {
  if (text === null) return {};
  try {
    const { updates, gateway, certificate, start_at_login } = OfficeFile.parse(JSON.parse(text));
    return {
      ...(updates === undefined ? {} : { updates }),
      ...(gateway === undefined && certificate === undefined
        ? {}
        : { gateway: gatewayOf(gateway, certificate) }),
      ...(start_at_login === undefined ? {} : { startAtLogin: start_at_login }),
    };
  } catch {
    return null;
  }
}

/** The certificate is written as `faxdesk https show` prints it, or without its colons. Throws for anything else. */
function gatewayOf(gateway: string | undefined, certificate: string | undefined): OtherGateway {
  const pairs = (certificate ?? '').replaceAll(':', '').toUpperCase().match(/../gu) ?? [];
  const choice = { kind: 'other', address: gateway?.replace(/\/$/u, ''), fingerprint: pairs.join(':') };
  const checked = DesktopGatewayChoice.parse(choice);
  if (checked.kind !== 'other' || URL.parse(checked.address)?.origin !== checked.address)
    throw new Error('not the origin of a gateway');
  return { address: checked.address, fingerprint: checked.fingerprint };
}

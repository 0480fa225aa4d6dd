import { dirname, join, posix, win32 } from 'node:path';
import { z } from 'zod';
import { DesktopGatewayChoice } from '../shared/desktop.ts';
import { officeFolder, SERVICE_FILE } from '../shared/office-folder.ts';
import { DECISIONS_FILE } from '../shared/office-policy.ts';
import type { Computer } from './computer.ts';
import { programFiles } from './environment.ts';
import { readPackage, readPolicy } from './office-policy.ts';
import type { OtherGateway } from './other-gateway.ts';
import { readOwnerFile } from './owner-file.ts';

const OfficeFile = z.object({
  updates: z.string().max(500).optional(),
  gateway: z.string().max(300).optional(),
  certificate: z.string().max(200).optional(),
  start_at_login: z.boolean().optional(),
  network: z.enum(['on', 'off']).optional(),
});

/** Decisions of the office for the application on this computer; each person decides what is left out. */
export interface OfficeDecisions {
  /** Place of new versions, or `off`. */
  readonly updates?: string;
  /** Gateway that every window shows; the computer then runs none. */
  readonly gateway?: OtherGateway;
  readonly startAtLogin?: boolean;
  /** True when the gateway of this window opens itself to no other computer. */
  readonly isNetworkOff?: boolean;
}

/** Returns the path of the file, in a folder that only an administrator of the computer can write. */
export function officeFile(platform: string, programFolder: string | undefined): string {
  const paths = platform === 'win32' ? win32 : posix;
  return paths.join(officeFolder(platform, programFolder), DECISIONS_FILE);
}

/** Gateway of the service of this computer, as `faxdesk service create` has left it for the windows. */
interface ComputerService {
  /** Null where it does not use HTTPS. */
  readonly gateway: OtherGateway | null;
}

/** Reads the service of this computer; null without one. */
export async function readComputerService(): Promise<ComputerService | null> {
  const file = join(dirname(officeFile(process.platform, programFiles())), SERVICE_FILE);
  const text = await readOwnerFile(file).catch(() => '');
  return text === null ? null : { gateway: parseOfficeFile(text)?.gateway ?? null };
}

/** Reads the decisions for this computer. Null where those of a policy, the file or the MSI package are damaged or cannot be read. */
export async function readOfficeDecisions(computer: Computer): Promise<OfficeDecisions | null> {
  const text = await readOwnerFile(officeFile(process.platform, programFiles())).catch(() => '');
  const [policy, packaged] = await Promise.all([readPolicy(computer), readPackage(computer)]);
  return policy && packaged && parseOfficeFile(text, policy, packaged);
}

/**
 * Parses the text of the file; null, where there is no file, decides nothing. The fields of a policy go before those of the file, and
 * these before those of the MSI package. Returns null for what is damaged.
 */
export function parseOfficeFile(
  text: string | null,
  policy: object = {},
  packaged: object = {},
): OfficeDecisions | null {
  try {
    const file: unknown = JSON.parse(text ?? '{}');
    const above = OfficeFile.parse(file) && { ...(file as object), ...policy };
    const { updates, gateway, certificate, start_at_login, network } = OfficeFile.parse({
      ...below(above, packaged),
      ...above,
    });
    return {
      ...(updates === undefined ? {} : { updates }),
      ...(gateway === undefined && certificate === undefined
        ? {}
        : { gateway: gatewayOf(gateway, certificate) }),
      ...(start_at_login === undefined ? {} : { startAtLogin: start_at_login }),
      ...(network === undefined ? {} : { isNetworkOff: network === 'off' }),
    };
  } catch {
    return null;
  }
}

/** Leaves the gateway of the package out where another one is decided: its certificate is not that of the other. */
function below(above: object, packaged: object): object {
  const { gateway: _gateway, certificate: _certificate, ...others } = packaged as Record<string, unknown>;
  return 'gateway' in above || 'certificate' in above ? others : packaged;
}

/**
 * The certificate is written as `faxdesk https show` prints it, or without its colons; without it an authority that the computer trusts
 * has to confirm the name. Throws for anything else.
 */
function gatewayOf(gateway: string | undefined, certificate: string | undefined): OtherGateway {
  const pairs = (certificate ?? '').replaceAll(':', '').toUpperCase().match(/../gu) ?? [];
  const fingerprint = certificate === undefined ? null : pairs.join(':');
  const choice = { kind: 'other', address: gateway?.replace(/\/$/u, ''), fingerprint };
  const checked = DesktopGatewayChoice.parse(choice);
  if (checked.kind !== 'other' || URL.parse(checked.address)?.origin !== checked.address)
    throw new Error('not the origin of a gateway');
  return { address: checked.address, fingerprint: checked.fingerprint };
}

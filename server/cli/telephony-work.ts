import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import type { TelephonyConfigurationRequest } from '../../shared/api/telephony.ts';
import { errorCode } from '../platform/errors.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { presentBoot } from './data-folder.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { localGateway } from './local-gateway.ts';

/** Marker in the first lines of the templates. */
const MARKER = 'Written by "faxdesk telephony config"';
/** Passwords are in them: for their owner and the group of Asterisk. */
const FILE_MODE = 0o640;
const SCRIPT_MODE = 0o750;

/** Builds the order for the gateway to write the files. Throws CommandFailure. */
export async function buildRequest(options: {
  readonly data?: string;
  readonly gateway?: string;
  readonly managerBind?: string;
  readonly sipBind?: string;
  readonly sipPort?: string;
}): Promise<z.infer<typeof TelephonyConfigurationRequest>> {
  const boot = await presentBoot(options.data);
  const gateway = options.gateway ?? (await localGateway(boot.dataFolder));
  if (gateway === null)
    throw new CommandFailure(
      `No gateway is running on ${boot.dataFolder}. Run this on the gateway’s computer, and give its folder with --data.`,
      EXIT.unreachable,
    );
  return {
    gateway_url: gateway,
    ...(options.managerBind === undefined ? {} : { manager_bind: options.managerBind }),
    ...(options.sipBind === undefined ? {} : { sip_bind: options.sipBind }),
    ...(options.sipPort === undefined ? {} : { sip_port: Number(options.sipPort) }),
  };
}

/**
 * Copies the files that the gateway wrote; nothing when a file of other origin is in the way. Throws CommandFailure.
 */
export async function copyConfiguration(
  written: { readonly folder: string; readonly files: readonly string[] },
  { output, overwrite = false }: { readonly output: string; readonly overwrite?: boolean },
): Promise<void> {
  const folder = resolve(output);
  const texts = await Promise.all(
    written.files.map(async (name) => ({ name, text: await readFile(join(written.folder, name), 'utf8') })),
  );
  await makeFolder(folder).catch((error: unknown) => {
    throw writeError(folder, error);
  });
  const foreign = overwrite ? [] : await listForeignFiles(folder, written.files);
  if (foreign.length > 0)
    throw new CommandFailure(
      `${folder} has files that Faxdesk did not write: ${foreign.join(', ')}. Save them somewhere else, then use --overwrite.`,
      EXIT.conflict,
    );
  await writeAll(folder, texts).catch((error: unknown) => {
    throw writeError(folder, error);
  });
}

async function writeAll(
  folder: string,
  texts: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  const { gid } = await stat(folder);
  for (const { name, text } of texts) {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    if (process.getuid?.() === 0) await chown(path, 0, gid);
    await chmod(path, name.endsWith('.sh') ? SCRIPT_MODE : FILE_MODE);
  }
}

/** Maps a system error about a folder that belongs to another account, or is not a folder. */
function writeError(folder: string, error: unknown): unknown {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CommandFailure(
        `This account has no permission to write to ${folder}. Give another folder with --output, and copy the files as an administrator.`,
        EXIT.failed,
      );
    case 'ENOENT':
      return new CommandFailure(`The folder ${folder} cannot be created.`, EXIT.failed);
    case 'ENOTDIR':
    case 'EEXIST':
      return new CommandFailure(`${folder} is not a folder. Give another one with --output.`, EXIT.failed);
    default:
      return error;
  }
}

async function listForeignFiles(folder: string, names: readonly string[]): Promise<string[]> {
  const foreign: string[] = [];
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (text !== null && !text.includes(MARKER)) foreign.push(name);
  }
  return foreign;
}

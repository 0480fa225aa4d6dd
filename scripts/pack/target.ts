import { PackError } from './pack-error.ts';

const PLATFORMS = ['win32', 'darwin', 'linux'] as const;
export type Platform = (typeof PLATFORMS)[number];

const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** One computer that the application is packed for. */
export interface Target {
  readonly platform: Platform;
  readonly arch: Architecture;
}

/** The installers of each system, and why no other system can make them. */
const INSTALLERS: Record<Platform, string> = {
  win32:
    'The installer for Windows is made on Windows: it is run once while it is built, to make its uninstaller.',
  darwin: "The disk image for macOS is made on macOS: Apple's own programs write and sign it.",
  linux: 'The AppImage for Linux is made on Linux.',
};

/** Parses the requested target; a platform alone means this computer's architecture, or x64 on another system. */
export function readTarget(
  asked: { platform?: string; arch?: string },
  own: { platform: string; arch: string } = process,
): Target {
  const platform = PLATFORMS.find((it) => it === (asked.platform ?? own.platform));
  if (platform === undefined) throw new PackError(`The platform is one of ${PLATFORMS.join(', ')}.`);
  const usual = platform === own.platform ? own.arch : 'x64';
  const arch = ARCHITECTURES.find((it) => it === (asked.arch ?? usual));
  if (arch === undefined) throw new PackError(`The architecture is one of ${ARCHITECTURES.join(', ')}.`);
  return { platform, arch };
}

/** Returns the targets of the installers: on macOS both kinds of Mac unless one is named. Throws PackError. */
export function installerTargets(
  asked: { platform?: string; arch?: string },
  own: { platform: string; arch: string } = process,
): Target[] {
  const target = readTarget(asked, own);
  if (target.platform !== own.platform) throw new PackError(INSTALLERS[target.platform]);
  if (target.platform !== 'darwin' || asked.arch !== undefined) return [target];
  return ARCHITECTURES.map((arch) => ({ ...target, arch }));
}

/** One sentence each on the installers that this machine does not make. */
export function otherInstallers(own: string = process.platform): string[] {
  return PLATFORMS.filter((it) => it !== own).map((it) => INSTALLERS[it]);
}

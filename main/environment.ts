/** The application's own file when it runs from an AppImage: its other paths are gone when it ends. Null elsewhere. */
export function appImagePath(): string | null {
  return process.env['APPIMAGE'] ?? null;
}

/** What a process gets that needs nothing of it: Windows starts none without the folder of its system. */
export function leastEnvironment(): Record<string, string> {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
}

/** The application's own file when it runs from an AppImage: its other paths are gone when it ends. Null elsewhere. */
export function appImagePath(): string | null {
  return process.env['APPIMAGE'] ?? null;
}

import { mkdir, writeFile } from 'node:fs/promises';
import { allIcons, ICONS } from './icons/all-icons.ts';

/** Makes the icons of `resources/icons` from the drawings in its folder `source`. */
for (const [path, content] of await allIcons()) {
  const file = new URL(path, ICONS);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, content);
}

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// Stands in for fpm, which electron-builder fetches from github.com: takes its words, and makes the Debian package that they describe
// with Debian's own tools. `FPM_WORDS` is the folder for the words of each kind of package.

const FLAGS = ['--force'];
const words = process.argv.slice(2);
const values = new Map<string, string[]>();
const files: string[] = [];
for (let index = 0; index < words.length; index += 1) {
  const word = words[index] ?? '';
  if (FLAGS.includes(word)) continue;
  if (!word.startsWith('-')) files.push(word);
  else if (word.startsWith('--') && word.includes('=')) values.set(word, []);
  else {
    index += 1;
    values.set(word, [...(values.get(word) ?? []), words[index] ?? '']);
  }
}

const value = (name: string): string => values.get(name)?.[0] ?? '';
const kind = value('-t');
writeFileSync(join(process.env['FPM_WORDS'] ?? '', `${kind}.json`), JSON.stringify(words));
if (kind === 'deb') makeDebianPackage();
else writeFileSync(value('--package'), 'not a package');

function makeDebianPackage(): void {
  const root = mkdtempSync(join(tmpdir(), 'faxdesk-fpm-'));
  for (const file of files) {
    const [from = '', to = ''] = file.split('=');
    mkdirSync(dirname(join(root, to)), { recursive: true });
    if (statSync(from).isDirectory()) cpSync(from, join(root, to), { recursive: true });
    else copyFileSync(from, join(root, to));
  }
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  const fields = [
    `Package: ${value('--name')}`,
    `Version: ${value('--version')}`,
    `Architecture: ${value('--architecture')}`,
    `Maintainer: ${value('--maintainer')}`,
    `Depends: ${(values.get('-d') ?? []).join(', ')}`,
    `Section: ${value('--category')}`,
    `Priority: ${value('--deb-priority')}`,
    `Homepage: ${value('--url')}`,
    `Description: ${value('--description')}`,
  ];
  writeFileSync(join(control, 'control'), `${fields.join('\n')}\n`);
  copyFileSync(value('--after-install'), join(control, 'postinst'));
  copyFileSync(value('--after-remove'), join(control, 'postrm'));
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', root]);
  execFileSync('chmod', ['0755', join(control, 'postinst'), join(control, 'postrm')]);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', root, value('--package')]);
  rmSync(root, { recursive: true });
}

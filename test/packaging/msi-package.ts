import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedProject } from '../../scripts/pack/msi-project.ts';
import { ROOT } from '../../scripts/source-tree.ts';

const BUILDER = join(ROOT, 'node_modules/app-builder-lib');
const ejs = createRequire(join(BUILDER, 'package.json'))('ejs') as {
  render: (template: string, values: Readonly<Record<string, unknown>>) => string;
};

const VALUES = {
  iconPath: null,
  compressionLevel: 'high',
  version: '0.1.0',
  productName: 'Faxdesk',
  upgradeCode: '3AB2209B-8188-4318-9189-80ADA0DB6010',
  manufacturer: 'Faxdesk',
  isCreateDesktopShortcut: false,
  isCreateStartMenuShortcut: false,
  isRunAfterFinish: false,
  isAssisted: false,
  isPerMachine: true,
  programFilesId: 'ProgramFiles64Folder',
  installationDirectoryWixName: 'Faxdesk',
  menuCategory: null,
  dirs: '',
  files:
    '<Component><File Name="Faxdesk.exe" Source="files/Faxdesk.exe" ReadOnly="yes" KeyPath="yes" Id="mainExecutable"/></Component>',
};

/** Parts of the type of an action, as Windows Installer has them. */
const ACTION = { program: 34, isIgnored: 64, isRollback: 256, isDeferred: 1024, isOfSystem: 2048 };

/** Parts of the attributes of a component. */
const COMPONENT = { hasKeyInRegistry: 4, isTransitive: 64, is64Bit: 256 };

/** Returns the project of the MSI package as electron-builder makes it, with our lines and one file. */
export function msiProject(version = VALUES.version): string {
  const template = readFileSync(join(BUILDER, 'templates/msi/template.xml'), 'utf8')
    .replaceAll('{{', '<%')
    .replaceAll('}}', '%>')
    .replaceAll(/\$\{([^}]+)\}/gu, '<%=$1%>');
  return changedProject(ejs.render(template, { ...VALUES, version }));
}

/** Makes the package with msitools, which read a part of the language of the project: its conditions are added to the tables. */
export function buildMsi(file: string, version?: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-msi-'));
  try {
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files/Faxdesk.exe'), 'program');
    const project = msiProject(version);
    writeFileSync(join(folder, 'project.wxs'), forMsitools(project));
    runTool(folder, 'wixl', '--arch', 'x64', '--output', file, 'project.wxs');
    for (const change of changes(project)) runTool(folder, 'msibuild', file, '-q', change);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Changes of the tables for what msitools does not read. */
function changes(project: string): string[] {
  const all = (form: RegExp) => [...project.matchAll(form)];
  return [
    ...all(/<Condition Message="([^"]+)"><!\[CDATA\[(.+?)\]\]><\/Condition>/gu).map(
      ([, sentence, condition]) =>
        `INSERT INTO \`LaunchCondition\` (\`Condition\`, \`Description\`) VALUES ('${condition}', '${sentence}')`,
    ),
    ...all(/<CustomAction Id="(\w+)" Directory=.*? Impersonate="(\w+)" Execute="(\w+)" Return="(\w+)"/gu).map(
      ([, id, impersonate, execute, ends]) => {
        const type =
          ACTION.program +
          (ends === 'ignore' ? ACTION.isIgnored : 0) +
          (execute === 'immediate' ? 0 : ACTION.isDeferred) +
          (execute === 'rollback' ? ACTION.isRollback : 0) +
          (impersonate === 'no' ? ACTION.isOfSystem : 0);
        return `UPDATE \`CustomAction\` SET \`Type\` = ${type}, \`Source\` = 'APPLICATIONFOLDER' WHERE \`Action\` = '${id}'`;
      },
    ),
    ...all(/<Component Id="(\w+)" Guid="\*" Transitive="yes"><Condition>(\w+)<\/Condition>/gu).map(
      ([, id, condition]) => {
        const attributes = COMPONENT.hasKeyInRegistry + COMPONENT.isTransitive + COMPONENT.is64Bit;
        return `UPDATE \`Component\` SET \`Attributes\` = ${attributes}, \`Condition\` = '${condition}' WHERE \`Component\` = '${id}'`;
      },
    ),
  ];
}

function forMsitools(project: string): string {
  const known = project
    .replace('http://wixtoolset.org/schemas/v4/wxs', 'http://schemas.microsoft.com/wix/2006/wi')
    .replaceAll(/<!--.*?-->|<Condition[ >].*?<\/Condition>/gsu, '')
    .replaceAll(
      / (?:Codepage|CompressionLevel|ReadOnly|AllowSameVersionUpgrades|Secure|Transitive)="[^"]*"/gu,
      '',
    );
  const [group = ''] = /<ComponentGroup Id.*?<\/ComponentGroup>/su.exec(known) ?? [];
  const components = group
    .replaceAll(/<\/?ComponentGroup[^>]*>/gu, '')
    .replace('<Component>', '<Component Id="program" Guid="*">');
  const names = [...components.matchAll(/<Component (Id="\w+")/gu)].map(([, id]) => `<ComponentRef ${id}/>`);
  const fragment = `<Fragment><ComponentGroup Id="ProductComponents">${names.join('')}</ComponentGroup>
<DirectoryRef Id="APPLICATIONFOLDER">${components}</DirectoryRef></Fragment>`;
  return (
    known
      .replace(group, '')
      // The compiler of electron-builder does the same for this processor.
      .replaceAll(/(<CustomAction Id="\w+") Directory="\w+"/gu, '$1 FileKey="mainExecutable"')
      .replaceAll('<RegistrySearch ', '<RegistrySearch Win64="yes" ')
      .replace('</Product>', () => `</Product>${fragment}`)
  );
}

function runTool(folder: string, program: string, ...words: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stdout}${stderr}`);
}

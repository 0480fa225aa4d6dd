import { XMLParser } from 'fast-xml-parser';
import type { ScanSource } from '../../../shared/scanning.ts';
import type { ScanOrder, SourceAbilities } from '../../features/scanning/scanner-port.ts';

/** Messages of eSCL, the protocol of AirScan and Mopria, as XML (Mopria eSCL Technical Specification 2.97). */

const LEAST_RESOLUTION = 100;
const MOST_RESOLUTION = 600;
/** Offered where a scanner names a range instead of single resolutions. */
const COMMON_RESOLUTIONS = [100, 150, 200, 300, 400, 600];

type Tree = { readonly [name: string]: Node };
type Node = string | Tree | readonly Node[];

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  processEntities: false,
});

/** Returns the content of a message with this root; null where it is something else. */
function readMessage(xml: string, root: string): Tree | null {
  try {
    const content = (parser.parse(xml) as Tree)[root];
    return isTree(content) ? content : null;
  } catch {
    return null;
  }
}

const isTree = (node: Node | undefined): node is Tree =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** Returns the nodes at the end of a path, through every branch of it. */
function nodesAt(node: Node | undefined, path: readonly string[]): Node[] {
  if (node === undefined) return [];
  if (Array.isArray(node)) return (node as readonly Node[]).flatMap((each) => nodesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return [node];
  return isTree(node) ? nodesAt(node[name], rest) : [];
}

const textsAt = (node: Node | undefined, ...path: string[]): string[] =>
  nodesAt(node, path).filter((each) => typeof each === 'string');

const textAt = (node: Node | undefined, ...path: string[]): string => textsAt(node, ...path)[0]?.trim() ?? '';

const numbersAt = (node: Node | undefined, ...path: string[]): number[] =>
  textsAt(node, ...path)
    .map(Number)
    .filter((number) => Number.isSafeInteger(number) && number > 0);

interface Capabilities {
  readonly model: string;
  readonly sources: readonly SourceAbilities[];
}

/** Reads the capabilities of a scanner. Null where the message is not one of a scanner. */
export function readCapabilities(xml: string): Capabilities | null {
  const message = readMessage(xml, 'ScannerCapabilities');
  if (message === null) return null;
  const places: ReadonlyArray<readonly [ScanSource, readonly string[]]> = [
    ['glass', ['Platen', 'PlatenInputCaps']],
    ['feeder', ['Adf', 'AdfSimplexInputCaps']],
    ['feeder_two_sided', ['Adf', 'AdfDuplexInputCaps']],
  ];
  return {
    model: textAt(message, 'MakeAndModel').slice(0, 200),
    sources: places.flatMap(([source, path]) => {
      const [abilities] = nodesAt(message, path);
      return abilities === undefined ? [] : (readSource(source, abilities) ?? []);
    }),
  };
}

/** Returns the UUID in the capabilities of a scanner; empty where it reports none. */
export function readUuid(xml: string): string {
  const message = readMessage(xml, 'ScannerCapabilities');
  return message === null ? '' : textAt(message, 'UUID').slice(0, 200);
}

/** Null where the place offers no resolution that a fax can use. */
function readSource(source: ScanSource, abilities: Node): SourceAbilities | null {
  // Profiles may stand beside the places, with references to them; those are in no scanner we have read of.
  const profile = ['SettingProfiles', 'SettingProfile'];
  const single = numbersAt(
    abilities,
    ...profile,
    'SupportedResolutions',
    'DiscreteResolutions',
    'DiscreteResolution',
    'XResolution',
  );
  const ranges = [...profile, 'SupportedResolutions', 'ResolutionRange'];
  // The specification has the first name, and `sane-airscan` reads the second one.
  const limit = (name: 'Min' | 'Max') =>
    ['XResolutionRange', 'XResolution'].flatMap((axis) => numbersAt(abilities, ...ranges, axis, name))[0];
  const [from, to] = [limit('Min'), limit('Max')];
  const ranged =
    from === undefined || to === undefined
      ? []
      : COMMON_RESOLUTIONS.filter((dpi) => dpi >= from && dpi <= to);
  const resolutions = [...new Set([...single, ...ranged])]
    .filter((dpi) => dpi >= LEAST_RESOLUTION && dpi <= MOST_RESOLUTION)
    .toSorted((one, other) => one - other);
  const [maxWidth] = numbersAt(abilities, 'MaxWidth');
  const [maxHeight] = numbersAt(abilities, 'MaxHeight');
  if (resolutions.length === 0 || maxWidth === undefined || maxHeight === undefined) return null;
  const colorModes = [...new Set(textsAt(abilities, ...profile, 'ColorModes', 'ColorMode'))];
  return { source, resolutions, colorModes, maxWidth, maxHeight };
}

interface Status {
  /** `Idle`, `Processing`, `Testing`, `Stopped` or `Down`; empty where the scanner reports none. */
  readonly state: string;
  /** `ScannerAdfLoaded`, `ScannerAdfEmpty`, `ScannerAdfJam` and others; empty where the scanner reports none. */
  readonly feeder: string;
}

/** Reads the state of a scanner. Null where the message is not one of a scanner. */
export function readStatus(xml: string): Status | null {
  const message = readMessage(xml, 'ScannerStatus');
  return message && { state: textAt(message, 'State'), feeder: textAt(message, 'AdfState') };
}

/** Writes the order of a scan, with its elements in the order that `sane-airscan` has found most scanners to accept. */
export function writeSettings({ source, resolution, colorMode, width, height }: ScanOrder): string {
  const isGlass = source === 'glass';
  const duplex = isGlass ? '' : `\n<scan:Duplex>${source === 'feeder_two_sided'}</scan:Duplex>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<scan:ScanSettings xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm" xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03">
<pwg:Version>2.0</pwg:Version>
<pwg:ScanRegions><pwg:ScanRegion>
<pwg:ContentRegionUnits>escl:ThreeHundredthsOfInches</pwg:ContentRegionUnits>
<pwg:XOffset>0</pwg:XOffset><pwg:YOffset>0</pwg:YOffset><pwg:Width>${width}</pwg:Width><pwg:Height>${height}</pwg:Height>
</pwg:ScanRegion></pwg:ScanRegions>
<pwg:InputSource>${isGlass ? 'Platen' : 'Feeder'}</pwg:InputSource>
<scan:ColorMode>${colorMode}</scan:ColorMode>
<pwg:DocumentFormat>image/jpeg</pwg:DocumentFormat>
<scan:DocumentFormatExt>image/jpeg</scan:DocumentFormatExt>
<scan:XResolution>${resolution}</scan:XResolution><scan:YResolution>${resolution}</scan:YResolution>${duplex}
</scan:ScanSettings>
`;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { Listener } from './emulators/listener.ts';

const NAMESPACES =
  'xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03" xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm"';

interface Job {
  readonly settings: string;
  /** Pages that are still to come. */
  left: number;
  given: number;
  isCanceled: boolean;
}

/** A scanner at the wire of eSCL, with a glass and a feeder. */
export interface TestScanner {
  readonly url: string;
  /** Sheets in the feeder. */
  sheets: number;
  state: 'Idle' | 'Processing' | 'Stopped';
  /** State of the feeder in place of the one that follows from the sheets. */
  feederState: string | null;
  /** Answers 503 as often before each page. */
  waits: number;
  /** Ends the connection in the middle of the page with this number; null never. */
  breaksAt: number | null;
  /** Stops with paper stuck after so many pages; null never. */
  jamsAfter: number | null;
  /** Host that it names in the address of a job. */
  namedHost: string | null;
  /** In place of its own abilities. */
  capabilities: string | null;
  /** Called before each page is given. */
  beforePage: () => Promise<void>;
  readonly jobs: readonly Job[];
  /** Puts everything as it was at the start. */
  reset(): void;
  close(): Promise<void>;
}

const AT_REST = {
  sheets: 0,
  state: 'Idle',
  feederState: null,
  waits: 0,
  breaksAt: null,
  jamsAfter: null,
  namedHost: null,
  capabilities: null,
  beforePage: async () => undefined,
} as const;

/** Starts a scanner on loopback. */
export async function startScanner(): Promise<TestScanner> {
  const jobs: Job[] = [];
  const page = await pageJpeg();
  const listener = new Listener((request, response) => answer(request, response));
  await listener.open();
  const origin = `http://127.0.0.1:${listener.port}`;
  const scanner: TestScanner = {
    url: `${origin}/eSCL`,
    ...AT_REST,
    jobs,
    reset: () => void Object.assign(scanner, AT_REST),
    close: () => listener.close(),
  };
  const feederOf = () => scanner.feederState ?? (scanner.sheets > 0 ? 'ScannerAdfLoaded' : 'ScannerAdfEmpty');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString('utf8');
    const path = request.url ?? '';
    const send = (status: number, xml = '') =>
      response.writeHead(status, { 'Content-Type': 'text/xml' }).end(xml);
    if (request.method === 'GET' && path === '/eSCL/ScannerCapabilities')
      return void send(200, scanner.capabilities ?? CAPABILITIES);
    if (request.method === 'GET' && path === '/eSCL/ScannerStatus')
      return void send(200, statusXml(scanner.state, feederOf()));
    if (request.method === 'POST' && path === '/eSCL/ScanJobs') {
      const isFeeder = body.includes('<pwg:InputSource>Feeder');
      if (scanner.state !== 'Idle') return void send(503);
      if (isFeeder && scanner.sheets === 0) return void send(409);
      const sides = body.includes('<scan:Duplex>true') ? 2 : 1;
      jobs.push({ settings: body, left: isFeeder ? scanner.sheets * sides : 1, given: 0, isCanceled: false });
      if (isFeeder) scanner.sheets = 0;
      const host = scanner.namedHost === null ? origin : `http://${scanner.namedHost}`;
      return void response.writeHead(201, { Location: `${host}/eSCL/ScanJobs/${jobs.length}` }).end();
    }
    const [, number = '', next] = /^\/eSCL\/ScanJobs\/(\d+)(\/NextDocument)?$/u.exec(path) ?? [];
    const job = jobs[Number(number) - 1];
    if (!job) return void send(404);
    if (request.method === 'DELETE') {
      job.isCanceled = true;
      return void send(200);
    }
    if (next !== undefined) return await giveNext(response, job);
    send(405);
  }

  let asked = 0;
  async function giveNext(response: ServerResponse, job: Job): Promise<void> {
    if (scanner.jamsAfter === job.given) scanner.feederState = 'ScannerAdfJam';
    if (job.left === 0 || job.isCanceled || scanner.feederState === 'ScannerAdfJam')
      return void response.writeHead(404).end();
    asked += 1;
    if (asked <= scanner.waits) return void response.writeHead(503, { 'Retry-After': '0' }).end();
    asked = 0;
    await scanner.beforePage();
    job.left -= 1;
    job.given += 1;
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': page.length });
    if (scanner.breaksAt === job.given) {
      response.write(page.subarray(0, 1000), () => response.destroy());
      return;
    }
    response.end(page);
  }

  return scanner;
}

/** A sheet with a dark bar across it, as a scanner of 100 dots per inch gives it. */
async function pageJpeg(): Promise<Buffer> {
  const create = { width: 850, height: 1100, channels: 3 as const, background: '#ffffff' };
  const bar = await sharp({ create: { ...create, width: 600, height: 80, background: '#202020' } })
    .png()
    .toBuffer();
  return await sharp({ create })
    .composite([{ input: bar, left: 125, top: 200 }])
    .greyscale()
    .jpeg({ quality: 80 })
    .withMetadata({ density: 100 })
    .toBuffer();
}

const statusXml = (state: string, feeder: string) => `<?xml version="1.0" encoding="UTF-8"?>
<scan:ScannerStatus ${NAMESPACES}>
<pwg:Version>2.63</pwg:Version><pwg:State>${state}</pwg:State><scan:AdfState>${feeder}</scan:AdfState>
</scan:ScannerStatus>`;

const profiles = (resolutions: string) => `<scan:SettingProfiles><scan:SettingProfile>
<scan:ColorModes><scan:ColorMode>BlackAndWhite1</scan:ColorMode><scan:ColorMode>Grayscale8</scan:ColorMode><scan:ColorMode>RGB24</scan:ColorMode></scan:ColorModes>
<scan:DocumentFormats><pwg:DocumentFormat>application/pdf</pwg:DocumentFormat><pwg:DocumentFormat>image/jpeg</pwg:DocumentFormat><scan:DocumentFormatExt>image/jpeg</scan:DocumentFormatExt></scan:DocumentFormats>
<scan:SupportedResolutions>${resolutions}</scan:SupportedResolutions>
</scan:SettingProfile></scan:SettingProfiles>`;

const discrete = (...all: number[]) =>
  `<scan:DiscreteResolutions>${all
    .map(
      (dpi) =>
        `<scan:DiscreteResolution><scan:XResolution>${dpi}</scan:XResolution><scan:YResolution>${dpi}</scan:YResolution></scan:DiscreteResolution>`,
    )
    .join('')}</scan:DiscreteResolutions>`;

const caps = (width: number, height: number, resolutions: string) =>
  `<scan:MinWidth>8</scan:MinWidth><scan:MaxWidth>${width}</scan:MaxWidth><scan:MinHeight>8</scan:MinHeight><scan:MaxHeight>${height}</scan:MaxHeight><scan:MaxScanRegions>1</scan:MaxScanRegions>${profiles(resolutions)}`;

const CAPABILITIES = `<?xml version="1.0" encoding="UTF-8"?>
<scan:ScannerCapabilities ${NAMESPACES}>
<pwg:Version>2.63</pwg:Version>
<pwg:MakeAndModel>Example OfficeScan 4020</pwg:MakeAndModel>
<pwg:SerialNumber>EX4020-1</pwg:SerialNumber>
<scan:UUID>4509a320-00a0-008f-00b6-002507510eca</scan:UUID>
<scan:Platen><scan:PlatenInputCaps>${caps(2550, 3508, discrete(75, 100, 200, 300, 600, 1200))}</scan:PlatenInputCaps></scan:Platen>
<scan:Adf>
<scan:AdfSimplexInputCaps>${caps(2550, 4200, discrete(100, 150, 200, 300))}</scan:AdfSimplexInputCaps>
<scan:AdfDuplexInputCaps>${caps(2550, 4200, discrete(200, 300))}</scan:AdfDuplexInputCaps>
<scan:FeederCapacity>35</scan:FeederCapacity>
<scan:AdfOptions><scan:AdfOption>DetectPaperLoaded</scan:AdfOption><scan:AdfOption>Duplex</scan:AdfOption></scan:AdfOptions>
</scan:Adf>
</scan:ScannerCapabilities>`;

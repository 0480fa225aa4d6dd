import { createRequire } from 'node:module';

interface Envelope<T> {
  success: boolean;
  message: string;
  data: T;
  paging?: { total: number; per_page: number; page: number };
}

interface SentFax {
  id: number;
  cancel(): Promise<Envelope<{ id: number }>>;
  resend(): Promise<Envelope<{ id: number }>>;
  getInfo(): Promise<Envelope<Record<string, unknown>>>;
  getFile(thumbnail?: 's' | 'l'): Promise<Buffer>;
  deleteFile(): Promise<Envelope<undefined>>;
  testDelete(): Promise<Envelope<undefined>>;
}

/** Methods that the tests use of the vendor's own Node client, which has no types. */
export interface VendorClient {
  faxes: {
    url: string;
    create(options: Record<string, unknown>): Promise<SentFax>;
    listFaxes(options: Record<string, unknown>): Promise<Envelope<Array<{ id: number }>>>;
    testReceive(options: Record<string, unknown>): Promise<Envelope<undefined>>;
  };
  account: { url: string; status(): Promise<Envelope<Record<string, unknown>>> };
  phoneNumber: {
    url: string;
    listNumbers(options?: object): Promise<Envelope<Array<{ phone_number: string }>>>;
    getNumberInfo(number: string): Promise<Envelope<{ phone_number: string }>>;
    provisionNumber(options: object): Promise<Envelope<{ phone_number: string }>>;
    releaseNumber(number: string): Promise<Envelope<undefined>>;
  };
  public: {
    url: string;
    getCountries(): Promise<Envelope<Array<{ alpha2: string }>>>;
    getAreaCodes(options: object): Promise<Envelope<Array<{ area_code: number }>>>;
  };
}

/** The vendor's client with its key and secret; the `url` of each resource can be overwritten. */
export const VendorClient = createRequire(import.meta.url)('phaxio-official') as new (
  apiKey: string,
  apiSecret: string,
) => VendorClient;

/** Which call an image of the telephone engine was first handed over or found with, while the image is there. */
export interface TelephonyImageTable {
  device: string;
  inode: string;
  sha256: string;
  call_id: string;
}

export interface TelephonyTables {
  telephony_image: TelephonyImageTable;
}

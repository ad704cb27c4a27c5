// The package's two log files: what was appended since the last look.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

class Tail {
  constructor(path) {
    this.path = path;
    this.offset = 0;
  }

  /** New whole lines as objects. */
  take() {
    let file;
    try {
      file = openSync(this.path, "r");
    } catch {
      return [];
    }
    try {
      const length = fstatSync(file).size - this.offset;
      if (length <= 0) return [];
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, this.offset);
      this.offset += length;
      return bytes.toString("utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
    } finally {
      closeSync(file);
    }
  }
}

export class Logs {
  constructor(agentDir) {
    const folder = join(agentDir, "extensions", "pi-permission-system", "logs");
    this.review = new Tail(join(folder, "pi-permission-system-permission-review.jsonl"));
    this.debug = new Tail(join(folder, "pi-permission-system-debug.jsonl"));
  }

  take() {
    return { reviewLog: this.review.take(), debugLog: this.debug.take() };
  }
}

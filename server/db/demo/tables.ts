export interface DemoTables {
  demo_picture: {
    hash: string
    /** A `Drawing` of draw.ts. */
    recipe: unknown
  }
}

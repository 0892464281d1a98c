export interface DemoTables {
  demo_picture: {
    hash: string
    kind: string
    colour: string | null
  }
}

package config

import _ "embed"

//go:embed shufflerd.example.yaml
var example string

// Example is a commented configuration file with every key at its default.
func Example() string { return example }
